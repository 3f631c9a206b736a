import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BesideSheet } from '../../components/beside-sheet.tsx'
import { RecentCalls } from '../../components/usage/recent-calls.tsx'
import { useDay, useMonth } from '../../components/usage/scope.ts'
import { UsageStrip } from '../../components/usage/usage-strip.tsx'
import type { Token } from '../../lib/api/contract.ts'
import { Limits } from './token-page/limits.tsx'
import { useTokenPageMessages } from './token-page/messages.ts'
import { keyScope } from './token-page/scope.ts'
import classes from './tokens.module.css'

/** A key beside the list: what it spent, what limits it, and its latest calls. */
export const TokenPreview = (props: { token: Token; onEdit: () => void; onClose: () => void }) => {
  const say = useTokenPageMessages()
  const { token } = props
  const scope = keyScope(token)
  const month = useMonth(scope)
  const day = useDay(scope)
  return (
    <BesideSheet
      key={token.id}
      onClose={props.onClose}
      title={token.name}
      name={token.name}
      subtitle={`#${token.id} · sk-${token.key}`}
      actions={
        <>
          <Button size="xs" onClick={props.onEdit}>
            {say('edit')}
          </Button>
          <Button
            size="xs"
            variant="filled"
            renderRoot={(root) => <Link to="/token/$id" params={{ id: String(token.id) }} {...root} />}
          >
            {say('open')}
          </Button>
        </>
      }
    >
      <div className={classes.preview}>
        <UsageStrip month={month} day={day} />
        <Limits token={token} isOwn />
        <RecentCalls scope={scope} />
      </div>
    </BesideSheet>
  )
}
