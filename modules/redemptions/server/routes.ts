import {
  batchRedemptions,
  countRedemptions,
  createRedemptions,
  deleteRedemption,
  getRedemption,
  listRedemptions,
  redeemCode,
  revealRedemptions,
  searchRedemptions,
  updateRedemption,
} from '@tollgate/contract'
import { actorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import { runRedemptionBatch } from './matching.ts'
import type { Redeem } from './redeem.ts'
import type { Redemptions } from './redemptions.ts'

/** The console's calls for redemption codes. */
export const redemptionRoutes = (on: On, codes: Redemptions, redeem: Redeem): void => {
  on(listRedemptions, async ({ query }) => ({ data: await codes.page({ ...query, keyword: '' }) }))
  on(searchRedemptions, async ({ query }) => ({ data: await codes.page(query) }))
  on(countRedemptions, async ({ query }) => ({ data: await codes.facet(query) }))
  on(batchRedemptions, async (call) => ({
    data: await runRedemptionBatch(codes, actorOf(call), call.body, call.language),
  }))
  on(getRedemption, async ({ params }) => ({ data: await codes.get(params.id) }))
  on(revealRedemptions, async (call) => ({ data: await codes.reveal(actorOf(call), call.body.ids) }))
  on(createRedemptions, async (call) => ({ data: await codes.create(actorOf(call), call.body) }))
  on(updateRedemption, async (call) => {
    const { id, status } = call.body
    if (call.query.status_only) return { data: await codes.setStatus(actorOf(call), id, status) }
    return { data: await codes.update(actorOf(call), call.body) }
  })
  on(deleteRedemption, async (call) => {
    await codes.remove(actorOf(call), call.params.id)
    return {}
  })
  on(redeemCode, async (call) => ({ data: await redeem(actorOf(call), call.body.key) }))
}
