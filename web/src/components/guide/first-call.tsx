import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isObject, parseObject } from '@tollgate/contract/json'
import { useState } from 'react'
import { useSiteAddress } from '../../lib/api/base-url.ts'
import { calls, logType, type Token } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { formatDuration, formatInteger } from '../../lib/text/format.ts'
import { belowBase } from '../../lib/url/page-paths.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { Icon } from '../display/icon.tsx'
import { Quota } from '../display/quota.tsx'
import { revealKey, useModelOf } from '../first-calls/calling-facts.ts'
import { snippets } from '../first-calls/snippets.ts'
import { Failure } from '../form/failure.tsx'
import { CodeBlock } from '../markdown/code-block.tsx'
import classes from './guide.module.css'
import { GuideContent } from './guide-content.tsx'
import { useGuideMessages } from './guide-messages.ts'

const answerEveryMs = 1000

/** Sends one chat request to this site with a key and resolves to the answer. Throws with the error's message. */
const sendCall = async (key: string, model: string, question: string): Promise<string> => {
  const response = await fetch(belowBase('/v1/chat/completions'), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
  })
  const body = parseObject(await response.text())
  if (!response.ok) {
    const message = isObject(body.error) ? body.error.message : undefined
    throw new Error(typeof message === 'string' ? message : `HTTP ${response.status}`)
  }
  const [choice] = Array.isArray(body.choices) ? (body.choices as readonly unknown[]) : []
  const message = isObject(choice) && isObject(choice.message) ? choice.message.content : undefined
  return typeof message === 'string' ? message : ''
}

/** Cost of the first call, from the log, as soon as it is there. */
const Receipt = () => {
  const say = useGuideMessages()
  const query = { type: logType.consume, page_size: 5 }
  const logs = useEndpoint(calls.listOwnLogs, { query })
  // Channel tests stand in the log, too, but under no key.
  const log = logs.data?.items.find(({ token_id, request_id }) => token_id > 0 && request_id !== '')
  useEndpoint(calls.listOwnLogs, { query }, { enabled: log === undefined, refreshEveryMs: answerEveryMs })
  if (!log) return null
  const { duration_ms: duration } = parseObject(log.other)
  const tookMs = typeof duration === 'number' ? duration : log.use_time * 1000
  return (
    <section className={classes.receipt} aria-label={say('receipt')}>
      <strong>{say('receipt')}</strong>
      <dl>
        <div>
          <dt>{say('model')}</dt>
          <dd className="mono">{log.model_name}</dd>
        </div>
        <div>
          <dt>{say('tokens')}</dt>
          <dd className="num">
            {formatInteger(log.prompt_tokens)} / {formatInteger(log.completion_tokens)}
          </dd>
        </div>
        <div>
          <dt>{say('duration')}</dt>
          <dd className="num">{formatDuration(tookMs)}</dd>
        </div>
        <div>
          <dt>{say('cost')}</dt>
          <dd>
            <Quota value={log.quota} />
          </dd>
        </div>
      </dl>
      <Link to="/log" search={{ request: log.request_id }} className="text-button">
        {say('openLog')}
      </Link>
    </section>
  )
}

interface FirstCallProps {
  token: Token
  /** The whole key, where it was created here. */
  made: string | undefined
  unpriced: ReadonlySet<string>
  failure: string | undefined
  called: boolean
}

/** A first call to copy or to send from here, what became of it, and its receipt. */
export const FirstCall = ({ token, made, unpriced, failure, called }: FirstCallProps) => {
  const say = useGuideMessages()
  const address = useSiteAddress()
  const model = useModelOf(token, unpriced)
  const [key, setKey] = useState(made)
  const [answer, setAnswer] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const [curl] = snippets.openai
  const show = useAction(async () => revealKey(token.id), { onDone: setKey })
  const send = useAction(
    async (): Promise<string> => {
      const whole = key ?? (await revealKey(token.id))
      setKey(whole)
      return sendCall(whole, model, say('ask'))
    },
    { onDone: setAnswer, refresh: [calls.getSelf] },
  )
  // The charge is applied a moment after the answer.
  useEndpoint(calls.getSelf, {}, { enabled: answer !== undefined && !called, refreshEveryMs: answerEveryMs })
  const run = async (): Promise<void> => {
    setProblem(undefined)
    await send.submit().catch(setProblem)
  }
  return (
    <GuideContent
      title={say('call')}
      note={<span className="mono">{model}</span>}
      actions={
        <Button component={Link} to="/playground" size="xs">
          {say('playground')}
        </Button>
      }
      footer={
        called || answer !== undefined ? (
          <Receipt />
        ) : (
          <p role="status" className={classes.waiting} data-failed={failure !== undefined || undefined}>
            <Icon name={failure === undefined ? 'history' : 'warning'} size={14} />
            <span>{failure === undefined ? say('waiting') : say('failed', { reason: failure })}</span>
          </p>
        )
      }
    >
      <div className={classes.row}>
        <strong className="strong">{say('baseUrl')}</strong>
        <CopyText text={`${address}/v1`} name={say('baseUrl')} />
      </div>
      {curl && (
        <CodeBlock
          code={curl.write({ address, key: key ?? `sk-${token.key}`, model, ask: say('ask') })}
          language={curl.language}
        />
      )}
      {answer !== undefined && <blockquote className={classes.answer}>{answer}</blockquote>}
      {problem !== undefined && <Failure error={problem} />}
      <div className={classes.row}>
        <Button
          variant={called ? 'default' : 'filled'}
          loading={send.busy}
          leftSection={<Icon name="send" size={14} />}
          onClick={() => void run()}
        >
          {say('send')}
        </Button>
        {key === undefined && (
          <Button loading={show.busy} leftSection={<Icon name="eye" size={14} />} onClick={() => void show.run()}>
            {say('fillIn')}
          </Button>
        )}
      </div>
    </GuideContent>
  )
}
