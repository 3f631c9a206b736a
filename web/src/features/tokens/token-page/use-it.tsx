import { Button } from '@mantine/core'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { useRevealed } from '../../../components/first-calls/calling-facts.ts'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import type { Token } from '../../../lib/api/contract.ts'
import { Snippets } from '../use-token.tsx'
import { useTokenPageMessages } from './messages.ts'
import classes from './token-page.module.css'

/** First calls with the key; it stays masked until its owner asks to see it. */
export const UseIt = ({ token }: { token: Token }) => {
  const say = useTokenPageMessages()
  const { key, busy, show } = useRevealed(token.id)
  return (
    <UsagePanel title={say('use')}>
      <div className={classes.inset}>
        {key === undefined ? (
          <p className={classes.masked}>
            <span className="muted">{say('masked')}</span>
            <Button leftSection={<Icon name="eye" size={14} />} loading={busy} onClick={() => void show()}>
              {say('reveal')}
            </Button>
          </p>
        ) : (
          <CopyText text={key} name={token.name} secret />
        )}
        <Snippets token={token} apiKey={key ?? `sk-${token.key}`} />
      </div>
    </UsagePanel>
  )
}
