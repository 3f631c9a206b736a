import { accountErrors } from './errors/accounts.ts'
import { channelErrors } from './errors/channels.ts'
import type { ErrorText } from './errors/error-text.ts'
import { generalErrors } from './errors/general.ts'
import { moneyErrors } from './errors/money.ts'
import { recordErrors } from './errors/records.ts'
import { relayErrors } from './errors/relay.ts'
import { ownMember } from './own-member.ts'

export type { ErrorText }

/** Every error that people can meet. Texts that existing API clients match on must stay byte for byte. */
export const errors = {
  ...generalErrors,
  ...accountErrors,
  ...channelErrors,
  ...recordErrors,
  ...moneyErrors,
  ...relayErrors,
} as const satisfies Record<string, ErrorText>

export type ErrorCode = keyof typeof errors
export type Language = 'zh' | 'en'

/** Fills `{name}` places; a missing parameter leaves the place empty. */
export const errorText = (
  code: ErrorCode,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string => errors[code][language].replace(/\{(\w+)\}/g, (_, name: string) => String(ownMember(params, name) ?? ''))
