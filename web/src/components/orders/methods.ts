import type { paymentMethods } from '../../lib/api/contract.ts'
import type { SayOrder } from './messages.ts'

export type Method = (typeof paymentMethods)[number]

/** Ways to pay as people know them; an order of an older database may name none. */
export const methodName = (method: string, say: SayOrder): string => {
  if (method === '') return say('none')
  return say(method === 'zfb' ? 'alipay' : 'wechat')
}
