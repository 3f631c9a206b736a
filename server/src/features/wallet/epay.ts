import { createHash, timingSafeEqual } from 'node:crypto'

export type Fields = Readonly<Record<string, string>>

const unsigned: ReadonlySet<string> = new Set(['sign', 'sign_type'])

// By their bytes, as other implementations sort.
const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : Number(a > b))

/** Lowercase hex MD5 of the fields that say something, sorted by name, followed by the key. */
export const signature = (fields: Fields, key: string): string => {
  const signedFields = Object.entries(fields).filter(([name, value]) => value !== '' && !unsigned.has(name))
  const text = signedFields
    .toSorted(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5').update(`${text}${key}`).digest('hex')
}

/** True if `sign` is the signature of the other fields; takes as long for every wrong one. */
export const isSigned = (fields: Fields, key: string): boolean => {
  const received = Buffer.from((fields.sign ?? '').toLowerCase())
  const right = Buffer.from(signature(fields, key))
  return received.length === right.length && timingSafeEqual(received, right)
}

/** An address of the gateway: its own path, then the page. */
export const gatewayUrl = (address: string, page: 'submit.php' | 'api.php'): URL => {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${page}`
  return url
}

export interface PaymentOrder {
  readonly merchantId: string
  /** The type by which the gateway knows the method. */
  readonly type: string
  readonly tradeNo: string
  readonly name: string
  /** Two decimals. */
  readonly money: string
  readonly notifyUrl: string
  readonly returnUrl: string
}

/** The fields that a browser posts to `submit.php`. */
export const paymentForm = (order: PaymentOrder, key: string): Fields => {
  const fields = {
    pid: order.merchantId,
    type: order.type,
    out_trade_no: order.tradeNo,
    notify_url: order.notifyUrl,
    return_url: order.returnUrl,
    name: order.name,
    money: order.money,
    device: 'pc',
    sign_type: 'MD5',
  }
  return { ...fields, sign: signature(fields, key) }
}
