import { useRef, useState } from 'react'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type Token } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useTokenMessages } from '../messages.ts'
import { SuccessSheet } from './success-sheet.tsx'

/** Asks, gives the token another key, and shows it. */
export const RotateToken = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const say = useTokenMessages()
  // The question closes once answered; its result stays open.
  const done = useRef(false)
  const [fresh, setFresh] = useState<Token>()
  const rotate = useAction(calls.rotateToken, {
    refresh: [calls.browseTokens, calls.listTokens, calls.revealToken],
  })
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
        const answer = await rotate.submit({ params: { id: token.id } })
        done.current = true
        setFresh(answer)
      }}
      danger
    />
  )
}
