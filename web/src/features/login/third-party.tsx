import { useRouter } from '@tanstack/react-router'
import frame from '../../components/entrance/entrance.module.css'
import type { SiteStatus } from '../../lib/status.ts'
import { useStatus } from '../../lib/status.ts'
import classes from './login.module.css'
import { useLoginWords } from './messages.ts'

interface Provider {
  name: string
  /** The callback's route; without it the provider cannot bring anybody back. */
  callback: string
  address: (state: string) => string
}

const withQuery = (base: string, query: Record<string, string>): string => `${base}?${new URLSearchParams(query)}`

/** The providers that the site has switched on, in the order of the console reference C3. */
const enabledProviders = (status: SiteStatus): Provider[] => [
  ...(status.github_oauth
    ? [
        {
          name: 'GitHub',
          callback: '/oauth/github',
          address: (state: string) =>
            withQuery('https://github.com/login/oauth/authorize', {
              client_id: status.github_client_id ?? '',
              state,
              scope: 'user:email',
            }),
        },
      ]
    : []),
  ...(status.oidc_enabled
    ? [
        {
          name: 'OIDC',
          callback: '/oauth/oidc',
          address: (state: string) =>
            withQuery(status.oidc_authorization_endpoint ?? '', {
              client_id: status.oidc_client_id ?? '',
              redirect_uri: `${window.location.origin}/oauth/oidc`,
              response_type: 'code',
              scope: 'openid profile email',
              state,
            }),
        },
      ]
    : []),
  ...(status.linuxdo_oauth
    ? [
        {
          name: 'LinuxDO',
          callback: '/oauth/linuxdo',
          address: (state: string) =>
            withQuery('https://connect.linux.do/oauth2/authorize', {
              response_type: 'code',
              client_id: status.linuxdo_client_id ?? '',
              state,
            }),
        },
      ]
    : []),
]

const askState = async (): Promise<string> => {
  const answer = (await (await fetch('/api/oauth/state', { credentials: 'same-origin' })).json()) as {
    success: boolean
    message: string
    data?: string
  }
  if (!answer.success || !answer.data) throw new Error(answer.message)
  return answer.data
}

/** Buttons of the third-party logins that are switched on and whose way back exists. */
export const ThirdParty = ({ onFail }: { onFail: (error: unknown) => void }) => {
  const say = useLoginWords()
  const status = useStatus()
  const routes = useRouter().routesByPath
  const providers = enabledProviders(status).filter((provider) => provider.callback in routes)
  if (providers.length === 0) return null
  const go = (provider: Provider): void => {
    askState().then((state) => window.location.assign(provider.address(state)), onFail)
  }
  return (
    <>
      <div className={classes.or}>{say('or')}</div>
      <div className={classes.providers}>
        {providers.map((provider) => (
          <button key={provider.name} type="button" className={frame.plain} onClick={() => go(provider)}>
            {say('with', { name: provider.name })}
          </button>
        ))}
      </div>
    </>
  )
}
