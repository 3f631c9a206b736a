import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Challenges } from '../../verification/challenges.ts'
import type { ReadOption } from './ports.ts'
import { type Profile, providerTexts } from './profile.ts'

type Fields = Readonly<Record<string, string>>

export interface Telegram {
  isEnabled(): boolean
  /** Address at which Telegram asks people; it sends them back to `returnTo` with the fields behind `#tgAuthResult=`. */
  addressFor(returnTo: string): string
  /** Checks what Telegram signed; each signature counts once. Throws AppError('telegram_invalid'). */
  identify(fields: Fields): Promise<Profile>
}

export const publicTelegram = 'https://oauth.telegram.org/auth'

/** A signature older than this is refused. */
const longestAgeSeconds = 86_400
/** Telegram's clock may be ahead of ours by this. */
const clockSkewSeconds = 60

/** The text that Telegram signs: every field but the signature, sorted, a line each. `state` is ours. */
const signedText = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([name]) => name !== 'hash' && name !== 'state')
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n')

/** True if the bot's token made this signature; takes the same time for every wrong one. */
const isSigned = (fields: Fields, botToken: string): boolean => {
  const key = createHash('sha256').update(botToken).digest()
  const expected = createHmac('sha256', key).update(signedText(fields)).digest()
  const received = Buffer.from(/^[0-9a-f]{64}$/i.test(fields.hash ?? '') ? (fields.hash ?? '') : '0'.repeat(64), 'hex')
  return timingSafeEqual(expected, received)
}

export const createTelegram = (parts: {
  option: ReadOption
  challenges: Pick<Challenges, 'once'>
  authorize: string
  clock: Clock
}): Telegram => {
  const { option } = parts

  const isFresh = (authDate: string): boolean => {
    if (!/^\d{1,12}$/.test(authDate)) return false
    const age = unixSeconds(parts.clock) - Number(authDate)
    return age >= -clockSkewSeconds && age <= longestAgeSeconds
  }

  return {
    isEnabled: () => option('TelegramOAuthEnabled') && option('TelegramBotToken') !== '',
    addressFor(returnTo) {
      const [botId = ''] = option('TelegramBotToken').split(':')
      const query = { bot_id: botId, origin: new URL(returnTo).origin, return_to: returnTo, request_access: 'write' }
      return `${parts.authorize}?${new URLSearchParams(query)}`
    },
    async identify(fields) {
      const { id = '', hash = '', auth_date: authDate = '', username, first_name: firstName } = fields
      const valid = isSigned(fields, option('TelegramBotToken')) && isFresh(authDate) && /^\d{1,20}$/.test(id)
      if (!valid) throw new AppError('telegram_invalid')
      const seconds = longestAgeSeconds + 2 * clockSkewSeconds
      if (!(await parts.challenges.once('telegram', hash.toLowerCase(), seconds)))
        throw new AppError('telegram_invalid')
      return {
        provider: 'telegram',
        prefix: providerTexts.telegram.prefix,
        subject: id,
        name: username ? `@${username}` : firstName || id,
        earlier: id,
        displayName: firstName || providerTexts.telegram.displayName,
      }
    },
  }
}
