import { Button } from '@mantine/core'
import { CopyText } from '#web/components/copy/copy-text.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { useRevealed } from '#web/components/first-calls/calling-facts.ts'
import { CodeBlock } from '#web/components/markdown/code-block.tsx'
import type { AgentSetup, AgentText } from '#web/lib/api/contract.ts'
import classes from './agents.module.css'
import { type SayAgent, useAgentMessages } from './messages.ts'

const headingOf = ({ path, language }: AgentText, say: SayAgent): string => {
  if (path !== '') return say('file', { path })
  return say(language === 'bash' ? 'terminal' : 'fields')
}

interface SetupProps {
  setup: AgentSetup
  address: string
  /** Id of the key; 0 for a placeholder. */
  token: number
  /** As the texts have it. */
  masked: string
}

/** The settings of one client; the key is masked in them until its owner asks to see it. */
export const Setup = ({ setup, address, token, masked }: SetupProps) => {
  const say = useAgentMessages()
  const { key, busy, show } = useRevealed(token)
  const whole = (text: string): string => (key === undefined ? text : text.replaceAll(masked, key))
  return (
    <section className={`panel ${classes.setup}`} aria-label={setup.name}>
      <div className={classes.facts}>
        <span>
          <span className="muted">{say('api')}</span> {say(`api_${setup.api}`)}
        </span>
        <span className={classes.masked}>
          <span className="muted">{say('address')}</span> <CopyText text={address} name={say('address')} />
        </span>
      </div>
      {token !== 0 && key === undefined && (
        <p className={classes.masked}>
          <span className="muted">{say('masked')}</span>
          <Button
            size="compact-sm"
            leftSection={<Icon name="eye" size={14} />}
            loading={busy}
            onClick={() => void show()}
          >
            {say('showKey')}
          </Button>
        </p>
      )}
      {setup.notes.length > 0 && (
        <ul className={classes.notes}>
          {setup.notes.map((note) => (
            <li key={note}>{say(`note_${note}`)}</li>
          ))}
        </ul>
      )}
      {setup.texts.map((text) => (
        <div key={`${text.path} ${text.language}`} className={classes.text}>
          <strong className="strong">{headingOf(text, say)}</strong>
          <CodeBlock code={whole(text.text)} language={text.language} />
        </div>
      ))}
    </section>
  )
}
