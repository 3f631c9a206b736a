import { accountErrors } from './errors/accounts.ts'
import { channelErrors } from './errors/channels.ts'
import { type ErrorParams, type ErrorText, placesOf } from './errors/error-text.ts'
import { generalErrors } from './errors/general.ts'
import { moneyErrors } from './errors/money.ts'
import { recordErrors } from './errors/records.ts'
import { relayErrors } from './errors/relay.ts'
import { moduleErrors } from './modules/modules.ts'
import { ownMember } from './own-member.ts'

export type { ErrorParams, ErrorText }

/** Every error that people can meet. Texts that existing API clients match on must stay byte for byte. */
export const errors = {
  ...generalErrors,
  ...accountErrors,
  ...channelErrors,
  ...recordErrors,
  ...moneyErrors,
  ...relayErrors,
  ...moduleErrors,
} as const satisfies Record<string, ErrorText>

export type ErrorCode = keyof typeof errors
export type Language = 'zh' | 'en'

/** Fills `{name}` places; a missing parameter leaves the place empty. */
export const errorText = (code: ErrorCode, language: Language, params: ErrorParams = {}): string =>
  errors[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(ownMember(params, name) ?? ''))

/** The parameters that the error's texts name, in either language; undefined where there are none. */
export const namedParams = (code: ErrorCode, params: ErrorParams): ErrorParams | undefined => {
  const { zh, en } = errors[code]
  const named = [...new Set(placesOf(zh + en))].flatMap((name) => {
    const value = ownMember(params, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return named.length === 0 ? undefined : Object.fromEntries(named)
}
