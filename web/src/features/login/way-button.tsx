import { entranceShapes, LineIcon } from '../../components/display/line-icon.tsx'
import type { ShownSignInWay } from '../../components/parts/sign-in-way.ts'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useSubmit } from '../../lib/submit.ts'

interface WayButtonProps {
  way: ShownSignInWay
  onFail: (error: unknown) => void
}

/** Signs in by a way that names the account by itself. */
export const WayButton = ({ way, onFail }: WayButtonProps) => {
  const language = useLanguage()
  const enter = useFinishSignIn()
  const signIn = useSubmit(async (): Promise<void> => {
    const result = await way.signIn()
    if (result) await enter(result)
  })
  return (
    <button
      type="button"
      className={frame.plain}
      disabled={signIn.busy}
      aria-busy={signIn.busy}
      onClick={() => void signIn.submit().catch(onFail)}
    >
      <LineIcon shape={entranceShapes[way.icon]} /> {textIn(way.title, language)}
    </button>
  )
}
