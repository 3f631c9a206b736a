import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import { type Token, tokenStatus } from '../../lib/api/contract.ts'
import { type SayToken, useTokenMessages } from './messages.ts'

/** The state of a key in words. */
export const statusWord = (token: Token, say: SayToken): string => {
  if (token.status === tokenStatus.enabled) return say(token.model_limits_enabled ? 'enabledRestricted' : 'enabled')
  if (token.status === tokenStatus.disabled) return say('disabled')
  if (token.status === tokenStatus.expired) return say('expired')
  return say(token.status === tokenStatus.exhausted ? 'exhausted' : 'unknownStatus')
}

const toneOf = (status: number): Tone => {
  if (status === tokenStatus.enabled) return 'good'
  if (status === tokenStatus.expired) return 'warn'
  return status === tokenStatus.disabled ? 'bad' : 'neutral'
}

export const TokenStatusBadge = ({ token }: { token: Token }) => {
  const say = useTokenMessages()
  const models = token.model_limits_enabled ? token.model_limits.split(',').join(', ') : ''
  return (
    <StatusBadge
      tone={toneOf(token.status)}
      label={statusWord(token, say)}
      {...(models === '' ? {} : { hint: models })}
    />
  )
}
