import { InAppBanner, type InAppBannerProps } from "./banner.tsx";
import { InAppModal } from "./modal.tsx";

/** What `TidingsOutlet` takes. */
export interface TidingsOutletProps {
  banner?: InAppBannerProps["placement"];
}

/** Modal and banner of whatever screen the person is on: once in an application, inside the provider. */
export function TidingsOutlet({ banner }: TidingsOutletProps) {
  return (
    <>
      <InAppBanner placement={banner} />
      <InAppModal />
    </>
  );
}
