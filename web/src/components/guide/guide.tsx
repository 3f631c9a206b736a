import { Button } from '@mantine/core'
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react'
import { role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useMark } from '../../lib/preferences/preferences.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { Icon } from '../display/icon.tsx'
import { usePageLeads } from '../page.ts'
import { CheckChannel } from './check-channel.tsx'
import { ConnectChannel } from './connect-channel.tsx'
import { FirstCall } from './first-call.tsx'
import { GetBalance } from './get-balance.tsx'
import classes from './guide.module.css'
import { useGuideMessages } from './guide-messages.ts'
import { type Guide, type GuideStepId, useGuide } from './guide-steps.ts'
import { GuideWait, useRememberedHeight } from './guide-wait.tsx'
import { MakeKey } from './make-key.tsx'
import { UnpricedNotice } from './unpriced-notice.tsx'

interface MadeKey {
  readonly id: number
  readonly key: string
}

/** The means for a step. */
const StepContent = (props: {
  id: GuideStepId
  guide: Guide
  made: MadeKey | undefined
  onMade: (made: MadeKey) => void
}) => {
  const { id, guide, made, onMade } = props
  const { token, channel } = guide
  switch (id) {
    case 'balance':
      return <GetBalance balance={guide.balance} />
    case 'channel':
      return <ConnectChannel />
    case 'check':
      return channel && <CheckChannel channel={channel} unpriced={guide.unpriced} />
    case 'key':
      return <MakeKey onMade={(id, key) => onMade({ id, key })} />
    case 'call':
      return (
        token && (
          <FirstCall
            key={token.id}
            token={token}
            made={made?.id === token.id ? made.key : undefined}
            unpriced={new Set(guide.unpriced.map(({ model }) => model))}
            failure={guide.failure}
            called={guide.steps.some(({ id, done }) => id === 'call' && done)}
          />
        )
      )
  }
}

interface StepsProps {
  guide: Guide
  current: GuideStepId
  onChoose: (id: GuideStepId) => void
}

const Steps = ({ guide, current, onChoose }: StepsProps) => {
  const say = useGuideMessages()
  const isUsable: Readonly<Record<GuideStepId, boolean>> = {
    balance: true,
    channel: true,
    check: guide.channel !== undefined,
    key: true,
    call: guide.token !== undefined,
  }
  return (
    <ol className={classes.steps}>
      {guide.steps.map(({ id, done }, place) => (
        <li key={id} data-done={done || undefined}>
          <button
            type="button"
            aria-current={id === current ? 'step' : undefined}
            disabled={!isUsable[id]}
            onClick={() => onChoose(id)}
          >
            <span className={classes.tick} aria-hidden="true">
              {done ? <Icon name="check" size={13} /> : place + 1}
            </span>
            <span className={classes.words}>
              <strong>
                {say(id)}
                <span className="visually-hidden">{say(done ? 'isDone' : 'isOpen')}</span>
              </strong>
              <span className="muted">{say(`${id}Text`)}</span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Part that a page shows beside the first steps. */
const BesideSteps = ({ load }: { load: () => Promise<ComponentType> }) => {
  const Part = useMemo(() => onDemand(load), [load])
  return <Part />
}

/** The first steps with the means for each. They are hidden once all are done; `called` shows them nevertheless. */
export const GuidePanel = ({ called }: { called: boolean }) => {
  const say = useGuideMessages()
  const guide = useGuide()
  const leads = usePageLeads()
  const isRoot = (useSession()?.role ?? 0) >= role.root
  const [, setSearch] = useSearchParams()
  const [, setOver] = useMark('guide-over')
  const [wasOpen, setWasOpen] = useState(called)
  const [chosen, setChosen] = useState<{ id: GuideStepId; done: number }>()
  const [made, setMade] = useState<MadeKey>()
  const finished = guide?.steps.every(({ done }) => done) === true
  if (guide && !finished && !wasOpen) setWasOpen(true)
  const place = useRef<HTMLElement>(null)
  useRememberedHeight(place)
  // Of a site that is called this alone remains.
  const notice = guide?.siteCalled === true && guide.unpriced.length > 0 && !called
  const needless = finished && !wasOpen && !notice
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
  if (notice && finished) return <UnpricedNotice place={place} count={guide.unpriced.length} onClose={close} />
  const count = guide.steps.filter(({ done }) => done).length
  const open = guide.steps.find(({ done }) => !done)?.id ?? 'call'
  // A chosen step stays open until another one is done.
  const current = chosen?.done === count ? chosen.id : open
  return (
    <section
      ref={place}
      className={classes.guide}
      data-guide={guide.steps.some(({ id, done }) => id === 'call' && !done) ? 'first' : 'called'}
      aria-labelledby="guide-title"
    >
      <div className={classes.head}>
        <h2 id="guide-title">{say('title')}</h2>
        <span className="muted num" role="status">
          {finished ? say('allDone') : say('progress', { count, all: guide.steps.length })}
        </span>
        <Button variant="subtle" size="xs" title={say('closeHint')} onClick={close}>
          {say(finished ? 'finish' : 'skip')}
        </Button>
      </div>
      <div className={classes.columns}>
        <div className={classes.side}>
          <div className={`panel ${classes.aside}`}>
            <Steps guide={guide} current={current} onChoose={(id) => setChosen({ id, done: count })} />
          </div>
          {isRoot &&
            guide.channel === undefined &&
            leads.map(
              ({ path, leadsFrom: { firstSteps } }) => firstSteps && <BesideSteps key={path} load={firstSteps} />,
            )}
        </div>
        <StepContent id={current} guide={guide} made={made} onMade={setMade} />
      </div>
    </section>
  )
}
