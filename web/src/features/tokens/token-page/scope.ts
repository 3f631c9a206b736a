import type { UsageScope } from '../../../components/usage/scope.ts'
import type { Token } from '../../../lib/api/contract.ts'

/** The log of a key: it knows keys by name, within those of a user where one is named. */
export const keyLogSearch = ({ name }: Pick<Token, 'name'>, username?: string | undefined): Record<string, string> => ({
  token_name: name,
  ...(username === undefined ? {} : { username }),
})

/** The calls of a key; `username` where it is not the reader's own. */
export const keyScope = (token: Pick<Token, 'id' | 'name'>, username?: string | undefined): UsageScope => ({
  mine: username === undefined,
  filters: [{ dimension: 'key', is: 'is', values: [String(token.id)] }],
  log: keyLogSearch(token, username),
})
