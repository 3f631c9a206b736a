import type { UsageScope } from '../../../components/usage/scope.ts'
import type { User } from '../../../lib/api/contract.ts'

/** The calls of a user, for administrators. */
export const userScope = ({ id, username }: Pick<User, 'id' | 'username'>): UsageScope => ({
  mine: false,
  filters: [{ dimension: 'user', is: 'is', values: [String(id)] }],
  log: { username },
})
