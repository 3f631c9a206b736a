import { SecretText } from '../../components/copy/secret-text.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Token } from '../../lib/api/contract.ts'
import { useTokenMessages } from './messages.ts'

/** The whole key with its prefix. Lists carry masked keys only, so it takes a call of its own. */
export const revealKey = async (id: number): Promise<string> => {
  const { key } = await call(calls.revealToken, { params: { id } })
  return `sk-${key}`
}

/** The masked key; it can be shown and copied. */
export const KeyCell = ({ token }: { token: Token }) => {
  const say = useTokenMessages()
  const labels = { show: say('show'), hide: say('hide'), copy: say('copyKey') }
  return <SecretText masked={`sk-${token.key}`} reveal={() => revealKey(token.id)} labels={labels} />
}
