import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callWhole } from '../../lib/api/api.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { Icon } from '../display/icon.tsx'
import { firstModelOf } from '../first-calls/calling-facts.ts'
import { Failure } from '../form/failure.tsx'
import { UnpricedModels } from '../unpriced/unpriced-models.tsx'
import type { UnpricedModel } from '../unpriced/use-unpriced.ts'
import classes from './guide.module.css'
import { GuideContent } from './guide-content.tsx'
import { useGuideMessages } from './guide-messages.ts'

const mostNames = 24

/** The second step of an operator: the models that were read, their prices, and a test in place. */
export const CheckChannel = ({ channel, unpriced }: { channel: Channel; unpriced: readonly UnpricedModel[] }) => {
  const say = useGuideMessages()
  const [problem, setProblem] = useState<unknown>()
  const models = channel.models.split(',').filter(Boolean)
  const model = channel.test_model || firstModelOf(models, new Set(unpriced.map((entry) => entry.model))) || ''
  const test = useAction(
    async (): Promise<number> =>
      Number((await callWhole(calls.testChannel, { params: { id: channel.id }, query: { model } })).time),
    {
      done: (seconds) => say('tested', { seconds: seconds.toFixed(2) }),
      // A failure changes nothing here: the step stays open with its reason.
      refresh: [calls.browseChannels],
    },
  )
  const run = async (): Promise<void> => {
    setProblem(undefined)
    await test.submit().catch(setProblem)
  }
  return (
    <GuideContent
      title={say('checkTitle', { name: channel.name, count: models.length })}
      actions={
        <Button component={Link} to={`/channel/edit/${channel.id}` as '/channel'} size="xs">
          {say('toChannel')}
        </Button>
      }
      footer={
        <>
          <div className={classes.row}>
            <p className="muted">{say('testText')}</p>
            <Button
              variant="filled"
              loading={test.busy}
              leftSection={<Icon name="send" size={14} />}
              onClick={() => void run()}
            >
              {say('test')}
            </Button>
          </div>
          {problem !== undefined && <Failure error={problem} />}
        </>
      }
    >
      <ul className={classes.names}>
        {models.slice(0, mostNames).map((name) => (
          <li key={name} className="mono">
            {name}
          </li>
        ))}
        {models.length > mostNames && <li className="faint">+{models.length - mostNames}</li>}
      </ul>
      {unpriced.length === 0 ? (
        <p className={classes.good}>
          <Icon name="check" size={14} /> {say('priced')}
        </p>
      ) : (
        <UnpricedModels models={unpriced} />
      )}
    </GuideContent>
  )
}
