import { insertReturningId } from '#server/db/dialect.ts'
import { canary } from '#server-test/rights/canaries.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'

const giveRedemption: ModuleRights['give'] = async (query, secrets, userId) => {
  const key = canary('redemption', userId)
  const redemptionId = await insertReturningId(query, 'redemptions', {
    user_id: userId,
    key_hash: secrets.digest('redemption', key),
    key_cipher: secrets.encrypt('redemption', key),
    status: 1,
    name: 'a gift',
    quota: 500,
    created_time: now(),
    redeemed_time: 0,
    used_user_id: 0,
    deleted_at: null,
    expired_time: 0,
    batch_id: 'batch',
  })
  return { redemptionId }
}

export const rights: ModuleRights = {
  kinds: {
    own: ['POST /api/user/topup'],
    site: [
      'GET /api/redemption/',
      'GET /api/redemption/search',
      'GET /api/redemption/facets',
      'GET /api/redemption/:id',
      'POST /api/redemption/keys',
      'POST /api/redemption/',
      'POST /api/redemption/batch/run',
      'PUT /api/redemption/',
      'DELETE /api/redemption/:id',
    ],
  },
  give: giveRedemption,
  bodies: {
    'PUT /api/redemption/': ({ owner }) => ({ id: owner.inModules.redemptionId, name: 'renamed' }),
    'POST /api/redemption/keys': ({ owner }) => ({ ids: [owner.inModules.redemptionId] }),
    'POST /api/redemption/batch/run': ({ owner }) => ({
      which: { ids: [owner.inModules.redemptionId] },
      act: { kind: 'status', status: 2 },
    }),
  },
  ids: [['/api/redemption/', 'redemptionId']],
  unaware: ['POST /api/user/topup'],
}
