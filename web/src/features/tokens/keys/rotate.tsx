import { useRef, useState } from 'react'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type OwnProjects, type Token } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useTokenMessages } from '../messages.ts'
import { SuccessSheet } from './success-sheet.tsx'

interface Rotating {
  readonly token: Token
  /** Answers the token with its new key. */
  readonly rotate: () => Promise<Token>
  readonly onClose: () => void
}

/** Asks, gives the token another key, and shows it. */
const Rotate = ({ token, rotate, onClose }: Rotating) => {
  const say = useTokenMessages()
  // The question closes once answered; its result stays open.
  const done = useRef(false)
  const [fresh, setFresh] = useState<Token>()
  if (fresh) return <SuccessSheet tokens={[fresh]} rotated onClose={onClose} />
  return (
    <ConfirmAction
      opened
      onClose={() => {
        if (!done.current) onClose()
      }}
      title={say('rotateTitle', { name: token.name })}
      effect={say('rotateEffect')}
      confirmLabel={say('rotateConfirm')}
      onConfirm={async () => {
        const answer = await rotate()
        done.current = true
        setFresh(answer)
      }}
      danger
    />
  )
}

/** Gives an own token another key. */
export const RotateToken = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const rotate = useAction(calls.rotateToken, {
    refresh: [calls.browseTokens, calls.listTokens, calls.revealToken],
  })
  return <Rotate token={token} rotate={() => rotate.submit({ params: { id: token.id } })} onClose={onClose} />
}

/** Gives a token for which an organisation pays another key. */
export const RotateProjectKey = ({ token, onClose }: { token: OwnProjects['keys'][number]; onClose: () => void }) => {
  const rotate = useAction(calls.rotateProjectKey, { refresh: [calls.getOwnProjects, calls.listProjectKeys] })
  const submit = () => rotate.submit({ params: { id: token.organisation_id }, body: { key_id: token.id } })
  return <Rotate token={token} rotate={submit} onClose={onClose} />
}
