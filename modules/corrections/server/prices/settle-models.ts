import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { type Declarations, declaredKey } from '#server/billing/declared/declarations.ts'
import { answerPlace, declaredPrice, modelKind } from '#server/billing/named-models/priced-models.ts'
import type { Price } from '#server/billing/price.ts'
import type { LoggedTokens } from '#server/features/pricing/reprice/reprice.ts'
import { atTermsOf, partSince } from '#server/features/pricing/reprice/reprice-since.ts'

const prefix = `${modelKind} `

/** Declarations of other kinds than models. */
export const otherThanModels = (declarations: Declarations): Declarations =>
  Object.fromEntries(Object.entries(declarations).filter(([key]) => !key.startsWith(prefix)))

/**
 * The receipt of a provisional charge after declarations of models, with the quota that it computes; undefined where none of them is
 * about it. What other models cost stays as it was charged. `price` is that of the model that was asked for.
 */
export const settledModels = (
  receipt: Receipt,
  declarations: Declarations,
  price: Price,
  logged: LoggedTokens,
): Receipt | undefined => {
  let settled: Receipt | undefined
  for (const reason of receipt.provisional ?? []) {
    if (reason.kind !== modelKind) continue
    const at = declaredPrice(ownMember(declarations, declaredKey(reason)), reason.place, price)
    if (at === undefined) continue
    settled = withModelAt(settled ?? receipt, reason, at, logged)
  }
  return settled
}

/** The receipt with what one model used at another price. */
const withModelAt = (
  receipt: Receipt,
  { place, name }: { readonly place: string; readonly name: string },
  at: Price | 'free',
  logged: LoggedTokens,
): Receipt => {
  const { models = [], provisional = [], ...own } = receipt
  const left = provisional.filter((each) => each.kind !== modelKind || each.place !== place || each.name !== name)
  const reasons = left.length === 0 ? {} : { provisional: left }
  if (place === answerPlace) {
    if (at === 'free') return { ...receipt, ...reasons }
    const { model: _, ...asked } = own
    const repriced = partSince({ ...asked, quota: 0 }, atTermsOf(receipt, at), logged)
    return { ...repriced, model: name, ...(models.length === 0 ? {} : { models }), ...reasons }
  }
  const others = models.flatMap((part) => {
    if (part.source !== place || part.model !== name) return [part]
    if (at === 'free') return []
    const { source, model, ...figures } = part
    const { group_ratio, quota_per_unit, estimated } = receipt
    const {
      group_ratio: _,
      quota_per_unit: __,
      quota: ___,
      estimated: ____,
      ...priced
    } = partSince({ ...figures, group_ratio, quota_per_unit, quota: 0, estimated }, atTermsOf(receipt, at), logged)
    return [{ ...priced, source, model }]
  })
  return { ...own, ...(others.length === 0 ? {} : { models: others }), ...reasons }
}
