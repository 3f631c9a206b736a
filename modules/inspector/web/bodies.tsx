import { Select } from '@mantine/core'
import { useState } from 'react'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { CaptureDetails } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'

type Body = CaptureDetails['content']['client']['body']

const pretty = ({ kind, text, cut }: Body): string => {
  if (kind !== 'json' || cut) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface PaneProps {
  readonly title: string
  readonly line: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Body
}

const Pane = ({ title, line, headers, body }: PaneProps) => {
  const say = useInspectorMessages()
  const size = `${formatInteger(Math.ceil(body.bytes / 1_000))} kB`
  const remark =
    body.kind === 'none' ? say('none') : body.kind === 'binary' ? say('binary', { bytes: size }) : undefined
  return (
    <section className={classes.pane} aria-label={title}>
      <h3>{title}</h3>
      <p className={`${classes.line} mono`}>{line}</p>
      {headers.length > 0 && (
        <details className={classes.headers}>
          <summary>
            {say('headers')} · {headers.length}
          </summary>
          <dl>
            {headers.map(([name, value], index) => (
              <div key={index}>
                <dt className="mono">{name}</dt>
                <dd className="mono">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {remark !== undefined ? (
        <p className={classes.note}>{remark}</p>
      ) : (
        <ScrollFrame label={title} className={classes.body}>
          <pre className="mono">{pretty(body)}</pre>
        </ScrollFrame>
      )}
      {body.cut && <p className={classes.note}>{say('cut', { bytes: size })}</p>}
    </section>
  )
}

/** The four sides of a call: what the client sent, what went upstream, what came back, and what the client got. */
export const Bodies = ({ content }: { content: CaptureDetails['content'] }) => {
  const say = useInspectorMessages()
  const [chosen, setChosen] = useState(content.attempts.length - 1)
  const attempt = content.attempts[chosen]
  const { client, answer } = content
  return (
    <>
      {content.attempts.length > 1 && (
        <Select
          aria-label={say('toUpstream')}
          allowDeselect={false}
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
          data={content.attempts.map(({ channel_name }, index) => ({
            value: String(index),
            label: say('attempt', { count: index + 1, channel: channel_name }),
          }))}
        />
      )}
      <div className={classes.panes}>
        <Pane
          title={say('fromClient')}
          line={`POST ${client.path}${client.query}`}
          headers={client.headers}
          body={client.body}
        />
        {attempt && (
          <Pane title={say('toUpstream')} line={`POST ${attempt.url}`} headers={attempt.headers} body={attempt.body} />
        )}
        {attempt && (
          <Pane
            title={say('fromUpstream')}
            line={String(attempt.status || '—')}
            headers={attempt.answer_headers}
            body={attempt.answer}
          />
        )}
        <Pane title={say('toClient')} line={String(answer.status || '—')} headers={answer.headers} body={answer.body} />
      </div>
    </>
  )
}
