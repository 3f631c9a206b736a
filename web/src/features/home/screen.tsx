import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyText } from '../../components/copy/copy-text.tsx'
import { OperatorText } from '../../components/markdown/operator-text.tsx'
import { pythonSnippet, Snippet } from '../../components/markdown/snippet.tsx'
import { useBaseUrl } from '../../lib/api/base-url.ts'
import { calls, type OfferedCall } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import classes from './home.module.css'
import { useHomeMessages } from './messages.ts'

/** The calls of the site, as its route table has them. Those without a caption are named after their API. */
const Calls = ({ calls }: { calls: readonly OfferedCall[] }) => {
  const language = useLanguage()
  return (
    <ul className={`panel ${classes.calls}`}>
      {calls.map(({ method, path, dialect, caption }) => (
        <li key={`${method} ${path}`}>
          <strong className="strong">{caption ? textIn(caption.name, language) : dialect}</strong>
          <code className="mono">
            <span className="faint">{method}</span> {path}
          </code>
          <span className="muted">{caption && textIn(caption.text, language)}</span>
          <span className={classes.dialect}>{dialect}</span>
        </li>
      ))}
    </ul>
  )
}

/** True if visitors can register here. */
const useCanRegister = (): boolean => {
  const status = useStatus()
  const routes = useRouter().routesByPath
  return '/register' in routes && !status.self_use_mode_enabled && status.register_enabled !== false
}

const Entrances = () => {
  const say = useHomeMessages()
  const user = useSession()
  const routes = useRouter().routesByPath
  const canRegister = useCanRegister()
  return (
    <div className={classes.entrances}>
      <Button component={Link} to={user ? '/playground' : '/login'} variant="filled">
        {user ? say('playground') : say('login')}
      </Button>
      {!user && canRegister && (
        <Button component={Link} to={'/register' as '/'}>
          {say('register')}
        </Button>
      )}
      {'/pricing' in routes && (
        <Button component={Link} to={'/pricing' as '/'}>
          {say('pricing')}
        </Button>
      )}
    </div>
  )
}

const Step = (props: { title: string; text: string; children?: ReactNode }) => (
  <li>
    <strong className="strong">{props.title}</strong>
    <p className="muted">{props.text}</p>
    {props.children}
  </li>
)

const Steps = () => {
  const say = useHomeMessages()
  const user = useSession()
  const canRegister = useCanRegister()
  return (
    <ol className={classes.steps}>
      {!user && (
        <Step title={say('stepAccount')} text={canRegister ? say('stepRegisterText') : say('stepAccountText')}>
          <Link to="/login">{say('login')}</Link>
        </Step>
      )}
      <Step title={say('stepToken')} text={say('stepTokenText')}>
        <Link to="/token">{say('toTokens')}</Link>
      </Step>
      <Step title={say('stepCall')} text={say('stepCallText')}>
        <Link to="/playground">{say('toPlayground')}</Link>
      </Step>
    </ol>
  )
}

/** Leads readers who can add a channel there; others read who can. */
const NoModels = () => {
  const say = useHomeMessages()
  const mayAdd = mayWrite(useSession(), 'channels')
  return (
    <>
      <span className="muted">{say(mayAdd ? 'noModelsForStaff' : 'noModelsText')}</span>
      {mayAdd && <Link to="/channel/add">{say('toChannels')}</Link>}
    </>
  )
}

const Offer = () => {
  const say = useHomeMessages()
  const { data, isPending } = useEndpoint(calls.getOffer)
  const routes = useRouter().routesByPath
  if (!data) return isPending ? <div data-waiting /> : null
  const none = data.models === 0
  return (
    <>
      <div className={`panel ${classes.models}`} data-none={none || undefined}>
        <strong className="strong">{none ? say('noModels') : say('modelCount', { count: data.models })}</strong>
        {none ? <NoModels /> : '/pricing' in routes && <Link to={'/pricing' as '/'}>{say('pricing')}</Link>}
      </div>
      <h2 className={classes.heading}>{say('speaks')}</h2>
      <p className={`muted ${classes.under}`}>{say('speaksText')}</p>
      <Calls calls={data.calls} />
    </>
  )
}

const Introduction = () => {
  const say = useHomeMessages()
  const baseUrl = useBaseUrl()
  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <div>
          <h1>{say('title')}</h1>
          <p className={classes.text}>{say('text')}</p>
          <div className={classes.address}>
            <span className="faint">{say('baseUrl')}</span>
            <CopyText text={baseUrl} name={say('baseUrl')} />
          </div>
          <Entrances />
        </div>
        <Snippet code={pythonSnippet(baseUrl)} />
      </section>
      <h2 className={classes.heading}>{say('steps')}</h2>
      <Steps />
      <Offer />
    </div>
  )
}

export const firstRead: FirstRead = (read) => read(calls.getHomePageContent)

/** The operator's own home page where there is one, else what this site is and how to reach it. */
export const HomeScreen = () => {
  const content = useEndpoint(calls.getHomePageContent)
  if (content.isPending) return <div data-waiting />
  return content.data ? <OperatorText text={content.data} /> : <Introduction />
}
