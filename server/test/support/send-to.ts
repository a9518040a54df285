import { createTransport } from 'nodemailer'

/** Sends mails to an SMTP server of this machine, one after the other; fails for the first that is refused. */
export async function sendTo(
  port: number,
  mails: { from: string; to: string; icalEvent: { method: string; content: string } }[],
): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
  try {
    for (const mail of mails) await transport.sendMail({ ...mail, subject: 'Re' })
  } finally {
    transport.close()
  }
}
