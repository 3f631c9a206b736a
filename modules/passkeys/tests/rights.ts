import { insertReturningId } from '#server/db/dialect.ts'
import { canary } from '#server-test/rights/canaries.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'

const ofVisitors = ['POST /api/user/passkey/login/begin', 'POST /api/user/passkey/login/finish']
const own = [
  'GET /api/user/passkey',
  'POST /api/user/passkey/register/begin',
  'POST /api/user/passkey/register/finish',
  'POST /api/user/passkey/verify/begin',
  'POST /api/user/passkey/verify/finish',
]
const owned = ['PUT /api/user/passkey/:id', 'DELETE /api/user/passkey/:id']

export const rights: ModuleRights = {
  kinds: { public: ofVisitors, own, owned },
  async give(query, secrets, userId) {
    const passkeyId = await insertReturningId(query, 'passkeys', {
      user_id: userId,
      credential_hash: secrets.digest('proof', String(userId)),
      credential_id: canary('credential', userId),
      public_key: canary('credential', userId),
      counter: 0,
      transports: '[]',
      name: 'a key',
      created_time: now(),
      last_used_time: 0,
    })
    return { passkeyId }
  },
  ids: [['/api/user/passkey/', 'passkeyId']],
  ofUsers: ['passkeys'],
  notOfWallets: { passkeys: 'it has no sign-in' },
  unaware: [...ofVisitors, ...own, ...owned],
  untraced: {
    'POST /api/user/passkey/verify/begin': 'proves who one is',
    'POST /api/user/passkey/verify/finish': 'proves who one is',
    'POST /api/user/passkey/register/begin': 'nothing has changed yet',
    'PUT /api/user/passkey/:id': 'a name that only its owner reads',
  },
}
