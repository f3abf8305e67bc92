import nodemailer from "nodemailer";

// The floor of `send`: nodemailer's own pool in a bare loop, without a queue, a log or a text part derived from the HTML.
export interface SendPlan {
  port: number;
  count: number;
  mail: { from: string; subject: string; html: string; text: string };
}

process.on("message", async ({ port, count, mail }: SendPlan) => {
  const transport = nodemailer.createTransport({
    pool: true,
    host: "127.0.0.1",
    port,
    secure: false,
    ignoreTLS: true,
    maxConnections: 8,
    maxMessages: 1_000,
  });
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < count) await transport.sendMail({ ...mail, to: `person-${next++}@example.com` });
    }),
  );
  transport.close();
  process.send?.({ sent: count });
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
