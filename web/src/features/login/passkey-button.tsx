import { entranceShapes, LineIcon } from '../../components/display/line-icon.tsx'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useSubmit } from '../../lib/submit.ts'
import { useLoginMessages } from './messages.ts'

/** Signs in with a passkey, which names the account by itself. */
export const PasskeyButton = ({ onFail }: { onFail: (error: unknown) => void }) => {
  const say = useLoginMessages()
  const enter = useFinishSignIn()
  const signIn = useSubmit(async (): Promise<void> => {
    const { askPasskey } = await import('../../lib/sign-in/passkeys.ts')
    const answer = await askPasskey(await call(calls.beginPasskeyLogin))
    if (answer) await enter(await call(calls.finishPasskeyLogin, { body: { answer } }))
  })
  return (
    <button
      type="button"
      className={frame.plain}
      disabled={signIn.busy}
      aria-busy={signIn.busy}
      onClick={() => void signIn.submit().catch(onFail)}
    >
      <LineIcon shape={entranceShapes.key} /> {say('passkey')}
    </button>
  )
}
