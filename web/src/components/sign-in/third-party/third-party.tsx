import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type ThirdParty as Provider, thirdParties } from '../../../lib/api/contract.ts'
import { defineMessages } from '../../../lib/i18n.ts'
import {
  goToProvider,
  goToThirdParty,
  isThirdPartyOn,
  providerOfLink,
  thirdPartyNames,
} from '../../../lib/sign-in/third-party.ts'
import { useStatus } from '../../../lib/status.ts'
import { useSubmit } from '../../../lib/submit.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import frame from '../sign-in-page.module.css'
import { ProviderIcon } from './provider-icon.tsx'
import classes from './third-party.module.css'

export const useThirdPartyMessages = defineMessages('third-party', {
  zh: {
    or: '或',
    with: '使用 {{name}} 登录',
    withWeChat: '使用微信登录',
  },
  en: {
    or: 'or',
    with: 'Sign in with {{name}}',
    withWeChat: 'Sign in with WeChat',
  },
})

const WeChatDialog = lazy(async () => ({ default: (await import('./wechat-dialog.tsx')).WeChatDialog }))

interface ThirdPartyProps {
  onFail: (error: unknown) => void
  /** Absent where the page asks for no second step itself: then the login page does. */
  onSecondStep?: (() => void) | undefined
}

/** Buttons of the third-party logins that are switched on. */
export const ThirdParty = ({ onFail, onSecondStep }: ThirdPartyProps) => {
  const say = useThirdPartyMessages()
  const status = useStatus()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [chosen, setChosen] = useState<string>()
  const going = useSubmit(goToThirdParty)
  const goingBy = useSubmit(goToProvider)
  const busy = going.busy || goingBy.busy
  const [typing, setTyping] = useState(false)
  const providers = thirdParties.filter((provider) => isThirdPartyOn(status, provider))
  const shown = status.identity_providers ?? []
  const ofLink = providerOfLink(search.sso)
  const identityProviders = [
    ...(ofLink === undefined || shown.some(({ slug }) => slug === ofLink)
      ? []
      : [{ slug: ofLink, name: ofLink, icon: 'building' as const }]),
    ...shown,
  ]
  if (providers.length + identityProviders.length === 0) return null

  const go = async (provider: Provider): Promise<void> => {
    if (provider === 'wechat') return setTyping(true)
    setChosen(provider)
    await going.submit(provider, 'login', search.next).catch(onFail)
  }
  const askSecond = (): void => {
    setTyping(false)
    if (onSecondStep) onSecondStep()
    else void navigate({ to: '/login', search: { step: '2fa' } })
  }
  return (
    <>
      <div className={classes.or}>{say('or')}</div>
      <div className={classes.providers}>
        {identityProviders.map(({ slug, name, icon }) => (
          <button
            key={`sso:${slug}`}
            type="button"
            className={frame.plain}
            disabled={busy}
            aria-busy={goingBy.busy && chosen === `sso:${slug}`}
            onClick={() => {
              setChosen(`sso:${slug}`)
              void goingBy.submit(slug, 'login', search.next).catch(onFail)
            }}
          >
            <ProviderIcon provider={icon} /> {say('with', { name })}
          </button>
        ))}
        {providers.map((provider) => (
          <button
            key={provider}
            type="button"
            className={frame.plain}
            disabled={busy}
            aria-busy={going.busy && chosen === provider}
            title={provider === 'telegram' && status.telegram_bot_name ? `@${status.telegram_bot_name}` : undefined}
            onClick={() => void go(provider)}
          >
            <ProviderIcon provider={provider} />{' '}
            {provider === 'wechat' ? say('withWeChat') : say('with', { name: thirdPartyNames[provider] })}
          </button>
        ))}
      </div>
      {typing && (
        <Suspense>
          <WeChatDialog onClose={() => setTyping(false)} onSecondStep={askSecond} />
        </Suspense>
      )}
    </>
  )
}
