import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import frame from '../../components/entrance/entrance.module.css'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useEntering } from './entering.ts'
import { useLoginWords } from './messages.ts'

/** Signs in with a passkey, which names the account by itself. */
export const PasskeyButton = ({ onFail }: { onFail: (error: unknown) => void }) => {
  const say = useLoginWords()
  const enter = useEntering()
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
