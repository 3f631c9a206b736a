import { moduleOwnAreas } from '../modules/modules.ts'
import type { OwnArea } from './scopes.ts'

/**
 * Which area a call of users belongs to, by the beginning of its path; the first that fits counts. `names` are lists of
 * models and groups, open to every token; `sign_in` is how one signs in, closed to all of them.
 */
const areaPaths: readonly (readonly [path: string, area: OwnArea | 'names' | 'sign_in'])[] = [
  ['/api/user/token', 'sign_in'],
  ['/api/user/2fa', 'sign_in'],
  ['/api/user/self/confirm', 'sign_in'],
  ['/api/user/self/sessions', 'sign_in'],
  ['/api/user/self/access_tokens', 'sign_in'],
  ['/api/oauth', 'sign_in'],
  ['/api/sso', 'sign_in'],
  ['/api/user/models', 'names'],
  ['/api/user/self/groups', 'names'],
  ['/api/models', 'names'],
  ['/api/user/self/ledger', 'own_wallet'],
  ['/api/user/topup', 'own_wallet'],
  ['/api/user/pay', 'own_wallet'],
  ['/api/user/amount', 'own_wallet'],
  ['/api/user/aff', 'own_wallet'],
  ['/api/user/aff_transfer', 'own_wallet'],
  ['/api/user/self', 'own_account'],
  ['/api/user/setting', 'own_account'],
  ['/api/token', 'own_keys'],
  ['/api/limits', 'own_keys'],
  ['/api/log', 'own_logs'],
  ['/api/data', 'own_logs'],
  ['/api/dashboard', 'own_logs'],
  ['/api/explore', 'own_logs'],
  ['/api/organisation', 'own_organisations'],
  ...moduleOwnAreas,
]

/** The area of a call of users; undefined for one that no area has, which only a token for everything may make. */
export const ownAreaOf = ({
  method,
  path,
}: {
  readonly method: string
  readonly path: string
}): OwnArea | 'names' | 'sign_in' | undefined => {
  // Cancelling the account.
  if (method === 'DELETE' && path === '/api/user/self') return 'sign_in'
  return areaPaths.find(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))?.[1]
}
