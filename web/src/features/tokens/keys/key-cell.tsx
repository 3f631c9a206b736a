import { SecretText } from '../../../components/copy/secret-text.tsx'
import { revealKey } from '../../../components/first-calls/calling-facts.ts'
import type { Token } from '../../../lib/api/contract.ts'
import { useTokenMessages } from '../messages.ts'

/** The masked key; it can be shown and copied. */
export const KeyCell = ({ token }: { token: Token }) => {
  const say = useTokenMessages()
  const labels = { show: say('show'), hide: say('hide'), copy: say('copyKey') }
  return <SecretText masked={`sk-${token.key}`} reveal={() => revealKey(token.id)} labels={labels} />
}
