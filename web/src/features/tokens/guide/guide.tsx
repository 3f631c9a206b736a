import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { snippets } from '../../../components/first-calls/snippets.ts'
import { CodeBlock } from '../../../components/markdown/code-block.tsx'
import { useSiteAddress } from '../../../lib/api/base-url.ts'
import type { Token } from '../../../lib/api/contract.ts'
import { useMark } from '../../../lib/preferences/preferences.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useModelOf, useRevealed } from '../calling-facts.ts'
import classes from './guide.module.css'
import { useGuideMessages } from './guide-messages.ts'
import { type Guide, type GuideStepId, useGuide } from './guide-steps.ts'
import { GuideWait, useRememberedHeight } from './guide-wait.tsx'

/** A first call to paste, and its result. */
const FirstCall = ({ token, failure }: { token: Token; failure: string | undefined }) => {
  const say = useGuideMessages()
  const address = useSiteAddress()
  const model = useModelOf(token)
  const { key, busy, show } = useRevealed(token.id)
  const [curl] = snippets.openai
  return (
    <div className={classes.call}>
      {curl && (
        <CodeBlock
          code={curl.write({ address, key: key ?? `sk-${token.key}`, model, ask: say('ask') })}
          language={curl.language}
        />
      )}
      <div className={classes.watch}>
        <p role="status" className={classes.waiting} data-failed={failure !== undefined || undefined}>
          <Icon name={failure === undefined ? 'history' : 'warning'} size={14} />
          <span>{failure === undefined ? say('waiting') : say('failed', { reason: failure })}</span>
        </p>
        {key === undefined && (
          <Button size="xs" loading={busy} leftSection={<Icon name="eye" size={14} />} onClick={() => void show()}>
            {say('fillIn')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The means for a step that is not done. */
const StepAction = ({ id, guide: { token, failure } }: { id: GuideStepId; guide: Guide }) => {
  const say = useGuideMessages()
  const [, setSearch] = useSearchParams()
  const [, setCopied] = useMark('address-copied')
  const address = useSiteAddress()
  const button = (label: string, to: '/channel/add' | '/channel' | '/topup') => (
    <Button size="xs" component={Link} to={to}>
      {label}
    </Button>
  )
  switch (id) {
    case 'channel':
      return button(say('channelAction'), '/channel/add')
    case 'test':
      return button(say('testAction'), '/channel')
    case 'key':
      return (
        <Button size="xs" variant="filled" onClick={() => setSearch({ add: '1' })}>
          {say('keyAction')}
        </Button>
      )
    case 'address':
      return <CopyText text={`${address}/v1`} name={say('baseUrl')} onCopy={() => setCopied(true)} />
    case 'call':
      return token && <FirstCall token={token} failure={failure} />
    case 'balance':
      return button(say('balanceAction'), '/topup')
  }
}

const Steps = ({ guide }: { guide: Guide }) => {
  const say = useGuideMessages()
  return (
    <ol className={classes.steps}>
      {guide.steps.map(({ id, done }, place) => (
        <li key={id} data-done={done || undefined}>
          <span className={classes.tick} aria-hidden="true">
            {done ? <Icon name="check" size={13} /> : place + 1}
          </span>
          <div className={classes.words}>
            <strong>
              {say(id)}
              <span className="visually-hidden">{say(done ? 'isDone' : 'isOpen')}</span>
            </strong>
            {!done && <p className="muted">{say(`${id}Text`)}</p>}
          </div>
          {!done && (
            <div className={classes.action}>
              <StepAction id={id} guide={guide} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The first steps with the means for each. They are hidden once all are done; `called` shows them nevertheless. */
export const GuidePanel = ({ called }: { called: boolean }) => {
  const say = useGuideMessages()
  const guide = useGuide()
  const [, setSearch] = useSearchParams()
  const [, setOver] = useMark('guide-over')
  const [wasOpen, setWasOpen] = useState(called)
  const finished = guide?.steps.every(({ done }) => done) === true
  if (guide && !finished && !wasOpen) setWasOpen(true)
  const place = useRef<HTMLElement>(null)
  useRememberedHeight(place)
  const needless = finished && !wasOpen
  // The preferences, which other windows follow.
  useEffect(() => {
    if (needless) setOver(true)
  })
  if (needless || guide === null) return null
  if (!guide) return <GuideWait />
  const close = (): void => {
    setOver(true)
    setSearch({ guide: undefined })
  }
  const count = guide.steps.filter(({ done }) => done).length
  return (
    <section ref={place} className={`panel ${classes.guide}`} aria-labelledby="guide-title">
      <div className={classes.head}>
        <h2 id="guide-title">{say('title')}</h2>
        <span className="muted num" role="status">
          {finished ? say('allDone') : say('progress', { count, all: guide.steps.length })}
        </span>
        {finished ? (
          <Button size="xs" onClick={close}>
            {say('finish')}
          </Button>
        ) : (
          <ActionIcon aria-label={say('close')} title={say('closeHint')} onClick={close}>
            <Icon name="close" size={14} />
          </ActionIcon>
        )}
      </div>
      <Steps guide={guide} />
    </section>
  )
}
