import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useLoginWords } from './messages.ts'

/** Signs in with a passkey, which names the account by itself. */
export const PasskeyButton = ({ onFail }: { onFail: (error: unknown) => void }) => {
  const say = useLoginWords()
  const enter = useFinishSignIn()
  const [busy, setBusy] = useState(false)

  const signIn = async (): Promise<void> => {
    setBusy(true)
    try {
      const { askPasskey } = await import('../../lib/sign-in/passkeys.ts')
      const answer = await askPasskey(await call(calls.beginPasskeyLogin))
      if (answer) await enter(await call(calls.finishPasskeyLogin, { body: { answer } }))
    } catch (error) {
      onFail(error)
    }
    setBusy(false)
  }
  return (
    <button type="button" className={frame.plain} disabled={busy} aria-busy={busy} onClick={() => void signIn()}>
      <Icon name="key" /> {say('passkey')}
    </button>
  )
}
