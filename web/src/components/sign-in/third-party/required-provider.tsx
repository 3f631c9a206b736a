import { useState } from 'react'
import { goToProvider, type RequiredProvider as Provider } from '../../../lib/sign-in/third-party.ts'
import { useSubmit } from '../../../lib/submit.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import frame from '../sign-in-page.module.css'
import { ProviderIcon } from './provider-icon.tsx'
import { useThirdPartyMessages } from './third-party.tsx'

/** The button to the provider that somebody has to sign in by. */
export const RequiredProvider = ({ slug, name }: Provider) => {
  const say = useThirdPartyMessages()
  const [search] = useSearchParams()
  const [problem, setProblem] = useState<string>()
  const going = useSubmit(goToProvider)
  return (
    <>
      <button
        type="button"
        className={`${frame.plain} ${frame.wayOn}`}
        disabled={going.busy}
        aria-busy={going.busy}
        onClick={() => void going.submit(slug, 'login', search.next).catch((error) => setProblem(errorText(error)))}
      >
        <ProviderIcon provider="building" /> {say('with', { name })}
      </button>
      <div role="alert">{problem && <div className={frame.problem}>{problem}</div>}</div>
    </>
  )
}
