import type { Language } from '@tollgate/contract'
import { composeMail } from './compose.ts'
import type { Mail } from './mail.ts'

interface Reader {
  readonly to: string
  readonly systemName: string
  readonly language: Language
}

/** The mail with a code that proves who reads an address. */
export const verificationMail = ({ to, systemName, language }: Reader, code: string, minutes: number): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${systemName} 邮箱验证码`,
        paragraphs: [`您正在验证 ${systemName} 的邮箱。`, '您的验证码为：'],
        code,
        note: `验证码 ${minutes} 分钟内有效。如果不是您本人操作，请忽略此邮件。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `Your ${systemName} verification code`,
        paragraphs: [`Use this code to verify your email address for ${systemName}:`],
        code,
        note: `The code expires in ${minutes} minutes. If you didn’t request it, you can ignore this email.`,
      })

/** The mail with the link that sets a new password. */
export const resetMail = ({ to, systemName, language }: Reader, url: string, minutes: number): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `重置 ${systemName} 密码`,
        paragraphs: [`我们收到了重置您 ${systemName} 密码的请求。`, '点击下方按钮设置新密码。'],
        link: { label: '重置密码', url, otherwise: '如果按钮无法点击，请在浏览器中打开以下链接：' },
        note: `链接 ${minutes} 分钟内有效，且只能使用一次。如果不是您本人操作，请忽略此邮件。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `Reset your ${systemName} password`,
        paragraphs: [`We received a request to reset your ${systemName} password.`],
        link: { label: 'Reset password', url, otherwise: 'Button not working? Open this link:' },
        note: `The link expires in ${minutes} minutes and works once. If you didn’t request it, you can ignore this email.`,
      })

/** The mail with the link by which a new user sets a password. */
export const welcomeMail = (
  { to, systemName, language }: Reader,
  { inviter, username, url, days }: { inviter: string; username: string; url: string; days: number },
): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${inviter} 邀请您使用 ${systemName}`,
        paragraphs: [`${inviter} 已在 ${systemName} 为您创建账户，用户名为 ${username}。`, '点击下方按钮设置密码。'],
        link: { label: '设置密码', url, otherwise: '如果按钮无法点击，请在浏览器中打开以下链接：' },
        note: `链接 ${days} 天内有效，且只能使用一次。如果您不认识邀请人，请忽略此邮件。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${inviter} invited you to ${systemName}`,
        paragraphs: [
          `${inviter} created a ${systemName} account for you. Your username is ${username}.`,
          'Set a password to get started.',
        ],
        link: { label: 'Set password', url, otherwise: 'Button not working? Open this link:' },
        note: `The link expires in ${days} days and works once. If you weren’t expecting this invitation, you can ignore this email.`,
      })

/** Values of an invitation to an organisation; `team` is empty for the whole organisation. */
export interface InvitationText {
  readonly inviter: string
  readonly organisation: string
  readonly team: string
  readonly url: string
  readonly days: number
}

/** The mail with the link by which somebody joins an organisation. */
export const invitationMail = ({ to, systemName, language }: Reader, text: InvitationText): Mail => {
  const { inviter, organisation, team, url, days } = text
  const place = team === '' ? organisation : `${organisation} / ${team}`
  return language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${inviter} 邀请您加入 ${place}`,
        paragraphs: [`${inviter} 邀请您在 ${systemName} 加入 ${place}。`, '加入后，您可以创建由组织付费的 API 令牌。'],
        link: { label: '加入', url, otherwise: '如果按钮无法点击，请在浏览器中打开以下链接：' },
        note: `链接 ${days} 天内有效，仅限此邮箱的账户使用一次。如果您不认识邀请人，请忽略此邮件。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${inviter} invited you to ${place}`,
        paragraphs: [
          `${inviter} invited you to join ${place} on ${systemName}.`,
          'As a member, you can create API keys billed to the organisation.',
        ],
        link: { label: 'Join', url, otherwise: 'Button not working? Open this link:' },
        note: `The link expires in ${days} days and works once, for the account with this email address. If you weren’t expecting this invitation, you can ignore this email.`,
      })
}

/** The mail by which an operator finds out whether the mail settings work. */
export const testMail = ({ to, systemName, language }: Reader): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${systemName} 测试邮件`,
        paragraphs: ['这是一封测试邮件，您的邮件设置可以正常使用。'],
      })
    : composeMail({
        to,
        systemName,
        subject: `${systemName} test email`,
        paragraphs: ['This is a test email. Your email settings work.'],
      })
