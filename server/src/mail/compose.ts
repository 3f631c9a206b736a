import { ownMember } from '@tollgate/contract/own-member'
import type { Mail } from './mail.ts'

/** Contents of a mail, before it is written as HTML and as plain text. */
export interface MailContent {
  readonly to: string
  readonly subject: string
  /** Name of the site, shown above. */
  readonly systemName: string
  readonly paragraphs: readonly string[]
  /** Shown large, to be read or copied. */
  readonly code?: string
  /** A link, shown as a button and in full. */
  readonly link?: { readonly label: string; readonly url: string; readonly otherwise: string }
  /** Small print. */
  readonly note?: string
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML content or attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ownMember(escapes, sign) ?? '')

const font = "font-family:-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif"

const codeHtml = (code: string): string =>
  `<p style="margin:24px 0;font-size:28px;letter-spacing:6px;font-family:Consolas,Menlo,monospace"><strong>${escapeHtml(code)}</strong></p>`

const linkHtml = ({ label, url, otherwise }: NonNullable<MailContent['link']>): string => {
  const href = escapeHtml(url)
  return [
    `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0 0 8px;color:#6b7280">${escapeHtml(otherwise)}</p>`,
    `<p style="margin:0 0 16px;word-break:break-all"><a href="${href}" style="color:#1f2937">${href}</a></p>`,
  ].join('\n')
}

const htmlOf = (content: MailContent): string =>
  [
    `<div style="max-width:560px;margin:0 auto;padding:24px;color:#111827;font-size:15px;line-height:1.6;${font}">`,
    `<p style="margin:0 0 16px;font-size:17px"><strong>${escapeHtml(content.systemName)}</strong></p>`,
    ...content.paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
    ...(content.code === undefined ? [] : [codeHtml(content.code)]),
    ...(content.link === undefined ? [] : [linkHtml(content.link)]),
    ...(content.note === undefined
      ? []
      : [`<p style="margin:24px 0 0;color:#6b7280;font-size:13px">${escapeHtml(content.note)}</p>`]),
    '</div>',
  ].join('\n')

const textOf = ({ systemName, paragraphs, code, link, note }: MailContent): string =>
  [systemName, ...paragraphs, code, link?.url, note].filter((part) => part !== undefined).join('\n\n')

/** Writes a mail in one look, as HTML and as plain text. */
export const composeMail = (content: MailContent): Mail => ({
  to: content.to,
  subject: content.subject,
  html: htmlOf(content),
  text: `${textOf(content)}\n`,
})
