import { ownMember } from '@tollgate/contract/own-member'
import type { TopUpInfo } from '../../lib/api/contract.ts'
import type { SayOrder } from './messages.ts'

export type PayMethods = TopUpInfo['methods']

/** Methods that have a name in every language, and the names of the list's defaults, which stand for it. */
const translated = {
  zfb: { key: 'alipay', defaults: ['支付宝', 'Alipay'] },
  wx: { key: 'wechat', defaults: ['微信', 'WeChat Pay'] },
} as const

/** The name of a payment method: the operator's own, else the one people know, else the gateway's type. */
export const methodName = (method: string, say: SayOrder, methods: PayMethods = []): string => {
  if (method === '') return say('none')
  const named = methods.find(({ type }) => type === method)?.name
  const known = ownMember(translated, method)
  if (known === undefined) return named ?? method
  return named === undefined || known.defaults.some((text) => text === named) ? say(known.key) : named
}
