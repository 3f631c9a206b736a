import { gatewayTypes, type PayMethod } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'

const longestMethod = 64

/** The gateway's type of a method as an API client may name it: `zfb` and `wx` stand for Alipay and WeChat Pay. */
const typeOf = (method: string): string => ownMember(gatewayTypes, method) ?? method

/** The name under which an order keeps a method of this type, at most 64 characters. */
export const methodOfType = (type: string): string =>
  Object.entries(gatewayTypes).find(([, known]) => known === type)?.[0] ?? type.slice(0, longestMethod)

/**
 * The listed method that a client chose. A client that names none gets WeChat Pay, as ever, or the first of the list.
 * Throws `topup_method_unknown` for a method that is not in the list.
 */
export const chosenMethod = (named: string, methods: readonly PayMethod[]): { method: string; type: string } => {
  const byType = (type: string) => methods.find((method) => method.type === type)
  const chosen = named === '' ? (byType('wxpay') ?? methods[0]) : byType(typeOf(named))
  if (chosen === undefined) throw new AppError('topup_method_unknown')
  return { method: methodOfType(chosen.type), type: chosen.type }
}
