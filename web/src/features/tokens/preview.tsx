import { PreviewSheet } from '../../components/preview-sheet.tsx'
import { RecentCalls } from '../../components/usage/recent-calls.tsx'
import { useDay, useMonth } from '../../components/usage/scope.ts'
import { UsageStrip } from '../../components/usage/usage-strip.tsx'
import type { Token } from '../../lib/api/contract.ts'
import { Limits } from './token-page/limits.tsx'
import { useTokenPageMessages } from './token-page/messages.ts'
import { keyScope } from './token-page/scope.ts'

/** A key beside the list: what it spent, what limits it, and its latest calls. */
export const TokenPreview = (props: { token: Token; onEdit: () => void; onClose: () => void }) => {
  const say = useTokenPageMessages()
  const { token } = props
  const scope = keyScope(token)
  const month = useMonth(scope)
  const day = useDay(scope)
  return (
    <PreviewSheet
      key={token.id}
      name={token.name}
      subtitle={`#${token.id} · sk-${token.key}`}
      edit={{ label: say('edit'), onClick: props.onEdit }}
      page={{ label: say('open'), to: '/token/$id', id: token.id }}
      onClose={props.onClose}
    >
      <UsageStrip scope={scope} month={month} day={day} />
      <Limits token={token} isOwn />
      <RecentCalls scope={scope} />
    </PreviewSheet>
  )
}
