import { gatewayTypes, type PayMethod, type TopUpInfo } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { mostQuotaAtOnce } from '@tollgate/contract/sizes'
import { leastTopUp, type TopUpPrice, type TopUpTerms, topUpPrice } from '../../billing/amounts/top-up.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import { type Fields, gatewayUrl, paymentForm } from './epay.ts'
import { gatewayOf, type PaymentGateway } from './gateway.ts'
import type { OrderStore } from './order-store.ts'
import type { Payer, WalletParts, WalletSettings } from './ports.ts'

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
const chosenMethod = (named: string, methods: readonly PayMethod[]): { method: string; type: string } => {
  const byType = (type: string) => methods.find((method) => method.type === type)
  const chosen = named === '' ? (byType('wxpay') ?? methods[0]) : byType(typeOf(named))
  if (chosen === undefined) throw new AppError('topup_method_unknown')
  return { method: methodOfType(chosen.type), type: chosen.type }
}

export interface Buying {
  info(actor: Payer): TopUpInfo
  /** Price of an amount, as text with two decimals. */
  quote(actor: Payer, amount: number): string
  /** Makes an order, and the form that takes its owner to the gateway. */
  pay(actor: Payer, wanted: { amount: number; method: string }): Promise<{ form: Fields; url: string }>
}

/** Units of currency that are often bought. */
const usualUnits = [1, 10, 50, 100, 500, 1000]
const drawnAgain = 3

const termsOf = (settings: WalletSettings, group: string): TopUpTerms => ({
  inCurrency: settings.DisplayInCurrencyEnabled,
  quotaPerUnit: settings.QuotaPerUnit,
  price: settings.Price,
  groupRatio: ownMember(settings.TopupGroupRatio, group) ?? 1,
  least: settings.MinTopUp,
})

const priced = (amount: number, terms: TopUpTerms): TopUpPrice => {
  const least = leastTopUp(terms)
  if (amount < least) throw new AppError('topup_too_small', { params: { least } })
  if (amount * (terms.inCurrency ? terms.quotaPerUnit : 1) > mostQuotaAtOnce) throw new AppError('topup_parameter')
  return topUpPrice(amount, terms)
}

/** Actions of users to buy quota. */
export const createBuying = (parts: Pick<WalletParts, 'settings' | 'clock' | 'log'>, orders: OrderStore): Buying => {
  const terms = (actor: Payer): TopUpTerms => termsOf(parts.settings(), actor.group)

  const tradeNo = (actor: Payer): string => `USR${actor.id}NO${randomAlphanumerics(6)}${unixSeconds(parts.clock)}`

  /** A number that exists already is drawn again. */
  const insert = async (
    actor: Payer,
    order: { price: TopUpPrice; method: string; gateway: PaymentGateway },
    tries = drawnAgain,
  ): Promise<string> => {
    const trade_no = tradeNo(actor)
    const { price, method, gateway } = order
    try {
      await orders.insert({
        user_id: actor.id,
        amount: price.units,
        money: price.money,
        trade_no,
        create_time: unixSeconds(parts.clock),
        quota: price.quota,
        payment_method: method,
        merchant_id: gateway.merchantId,
      })
      return trade_no
    } catch (cause) {
      if (isUniqueViolation(cause) && tries > 0) return insert(actor, order, tries - 1)
      throw new AppError('topup_order_failed', { cause })
    }
  }

  return {
    info(actor) {
      const of = terms(actor)
      const least = leastTopUp(of)
      const usual = usualUnits.map((units) => (of.inCurrency ? units : Math.round(units * of.quotaPerUnit)))
      const amounts = [...new Set([least, ...usual.filter((amount) => amount > least)])].slice(0, usualUnits.length)
      const presets = amounts.flatMap((amount) => {
        const { quota, money, againstOneCent } = topUpPrice(amount, of)
        return againstOneCent > 0 ? [{ amount, quota, money }] : []
      })
      const { PayMethods } = parts.settings()
      const methods = PayMethods.map((method) => ({ ...method, type: methodOfType(method.type) }))
      return { online: gatewayOf(parts.settings()) !== undefined && methods.length > 0, least, presets, methods }
    },
    quote(actor, amount) {
      const price = priced(amount, terms(actor))
      if (price.againstOneCent <= 0) throw new AppError('topup_price_too_low')
      return price.money
    },
    async pay(actor, { amount, method: named }) {
      const price = priced(amount, terms(actor))
      if (price.againstOneCent < 0) throw new AppError('topup_price_too_low')
      const gateway = gatewayOf(parts.settings())
      if (gateway === undefined) throw new AppError('topup_not_configured')
      const { method, type } = chosenMethod(named, parts.settings().PayMethods)
      const trade = await insert(actor, { price, method, gateway })
      const { merchantId, notifyUrl, returnUrl } = gateway
      const order = {
        merchantId,
        type,
        tradeNo: trade,
        name: `TUC${amount}`,
        money: price.money,
        notifyUrl,
        returnUrl,
      }
      return { form: paymentForm(order, gateway.key), url: gatewayUrl(gateway.address, 'submit.php').href }
    },
  }
}
