import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { Refusal, Unreached } from "../call/refusal.ts";
import { useTexts } from "../language/texts.ts";
import { Icon, type IconName } from "../look/icons.tsx";
import { Said } from "./said.tsx";
import css from "./states.module.css";
import { texts } from "./texts.ts";

interface StateProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing is here yet, or nothing matches: says so, and what to do about it. */
export function Empty({ icon = "tray", title, children, action }: StateProps) {
  return (
    <div className={css.state}>
      <span className={css.icon}>
        <Icon name={icon} size={20} />
      </span>
      <h2 className={css.title}>{title}</h2>
      {children && <div className={css.body}>{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}

/** What is shown instead of something that could not be read: the service's own words, and a way to repeat. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const t = useTexts(texts);
  const refusal = error instanceof Refusal ? error : undefined;
  const again = retry && (
    <Button variant="default" onClick={retry} leftSection={<Icon name="refresh" />}>
      {t("retry")}
    </Button>
  );
  if (refusal?.status === 403 && refusal.code !== "workspace_suspended")
    return (
      <Empty icon="key" title={t("noRight")}>
        <Said>{refusal.message}</Said>
      </Empty>
    );
  if (refusal?.status === 404)
    return (
      <Empty icon="search" title={t("gone")}>
        <Said>{refusal.message}</Said>
      </Empty>
    );
  if (error instanceof Unreached)
    return (
      <Empty icon="warn" title={t("unreached")} action={again}>
        {t("unreachedBody")}
      </Empty>
    );
  return (
    <div role="alert">
      <Empty icon="warn" title={refusal ? t("refused") : t("broken")} action={again}>
        <p>{refusal ? <Said>{refusal.message}</Said> : error instanceof Error ? error.message : String(error)}</p>
        {refusal?.retryAfter && <p>{t("wait", { seconds: refusal.retryAfter })}</p>}
        {refusal?.body.request_id && <code className="quiet">{t("request", { id: refusal.body.request_id })}</code>}
      </Empty>
    </div>
  );
}

/** The shape of what is coming, in grey. */
export function Loading({ rows = 6, height = 20 }: { rows?: number; height?: number }) {
  const t = useTexts(texts);
  return (
    <div className={css.loading} aria-busy="true">
      <span className="visually-hidden" role="status">
        {t("loading")}
      </span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={i} height={height} width={`${92 - ((i * 17) % 40)}%`} radius={4} />
      ))}
    </div>
  );
}

interface QueryState<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** Shows what a query read; until then its skeleton, and a failure where it failed. What was read before stays while it is read again. */
export function Answer<T>(props: { of: QueryState<T>; loading?: ReactNode; children: (data: T) => ReactNode }) {
  const { of, loading, children } = props;
  if (of.data !== undefined) return children(of.data);
  if (of.isPending) return loading ?? <Loading />;
  return <Failure error={of.error} retry={() => void of.refetch()} />;
}
