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
        subject: `${systemName}邮箱验证邮件`,
        paragraphs: [`您好，你正在进行${systemName}邮箱验证。`, '您的验证码为：'],
        code,
        note: `验证码 ${minutes} 分钟内有效，如果不是本人操作，请忽略。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${systemName} e-mail verification`,
        paragraphs: [`You are verifying your e-mail address at ${systemName}.`, 'Your code is:'],
        code,
        note: `The code is valid for ${minutes} minutes. If you did not ask for it, ignore this mail.`,
      })

/** The mail with the link that sets a new password. */
export const resetMail = ({ to, systemName, language }: Reader, url: string, minutes: number): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${systemName}密码重置`,
        paragraphs: [`您好，你正在进行${systemName}密码重置。`, '点击下方按钮进行密码重置。'],
        link: { label: '重置密码', url, otherwise: '如果按钮无法点击，请复制下方链接到浏览器中打开：' },
        note: `重置链接 ${minutes} 分钟内有效，且只能使用一次。如果不是本人操作，请忽略。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${systemName} password reset`,
        paragraphs: [`Somebody asked to reset your password at ${systemName}.`],
        link: { label: 'Reset password', url, otherwise: 'If the button does not work, open this address:' },
        note: `The link is valid for ${minutes} minutes and works once. If you did not ask for it, ignore this mail.`,
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
        subject: `${inviter} 邀请你使用 ${systemName}`,
        paragraphs: [
          `你好，${inviter} 已在 ${systemName} 为你创建账户，用户名为 ${username}。`,
          '点击下方按钮设置密码。',
        ],
        link: { label: '设置密码', url, otherwise: '如果按钮无法点击，请复制下方链接到浏览器中打开：' },
        note: `链接 ${days} 天内有效，且只能使用一次。如果不认识邀请人，请忽略。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${inviter} invites you to ${systemName}`,
        paragraphs: [
          `${inviter} has created an account for you at ${systemName}. Your username is ${username}.`,
          'Set a password to sign in.',
        ],
        link: { label: 'Set password', url, otherwise: 'If the button does not work, open this address:' },
        note: `The link is valid for ${days} days and works once. If you do not know who invites you, ignore this mail.`,
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
        subject: `${inviter} 邀请你加入 ${place}`,
        paragraphs: [
          `你好，${inviter} 邀请你在 ${systemName} 加入 ${place}。`,
          '加入后，你可以创建由组织钱包付款的 API 令牌。',
        ],
        link: { label: '加入', url, otherwise: '如果按钮无法点击，请复制下方链接到浏览器中打开：' },
        note: `链接 ${days} 天内有效，且只能由使用此邮箱的账户使用一次。如果不认识邀请人，请忽略。`,
      })
    : composeMail({
        to,
        systemName,
        subject: `${inviter} invites you to ${place}`,
        paragraphs: [
          `${inviter} invites you to join ${place} at ${systemName}.`,
          'As a member you can make API keys that the wallet of the organisation pays for.',
        ],
        link: { label: 'Join', url, otherwise: 'If the button does not work, open this address:' },
        note: `The link is valid for ${days} days and works once, for the account with this address. If you do not know who invites you, ignore this mail.`,
      })
}

/** The mail by which an operator finds out whether the mail settings work. */
export const testMail = ({ to, systemName, language }: Reader): Mail =>
  language === 'zh'
    ? composeMail({
        to,
        systemName,
        subject: `${systemName}测试邮件`,
        paragraphs: ['这是一封测试邮件。收到它说明邮件设置可用。'],
      })
    : composeMail({
        to,
        systemName,
        subject: `${systemName} test mail`,
        paragraphs: ['This is a test mail. Your mail settings work.'],
      })
