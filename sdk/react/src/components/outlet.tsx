import { InAppBanner, type InAppBannerProps } from "./banner.tsx";
import { InAppModal } from "./modal.tsx";

/** The properties of `TidingsOutlet`. */
export interface TidingsOutletProps {
  banner?: InAppBannerProps["placement"];
}

/** Shows modal and banner of the person's current screen. Put it into the application once, inside the provider. */
export function TidingsOutlet({ banner }: TidingsOutletProps) {
  return (
    <>
      <InAppBanner placement={banner} />
      <InAppModal />
    </>
  );
}
