import { SecretText } from '../../components/copy/secret-text.tsx'
import type { Redemption } from '../../lib/api/contract.ts'
import { revealKeys } from './keys.ts'
import { useRedemptionMessages } from './messages.ts'

/** The masked code; it can be shown and copied. */
export const KeyCell = ({ code }: { code: Redemption }) => {
  const say = useRedemptionMessages()
  const reveal = async (): Promise<string> => (await revealKeys([code.id]))[0]?.key ?? ''
  const labels = { show: say('show'), hide: say('hide'), copy: say('copy') }
  return <SecretText masked={code.key} reveal={reveal} labels={labels} />
}
