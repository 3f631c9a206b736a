import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BuiltInView, KnownView, TableViews } from '../../components/data-table/views/table-views.ts'
import { Icon } from '../../components/display/icon.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { TabBar } from '../../components/tab-bar.tsx'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useAction } from '../../lib/query.ts'
import classes from './explore.module.css'
import { type SayExplore, useExploreMessages } from './messages.ts'

const BoardDialog = onDemand(async () => (await import('./board-dialog.tsx')).BoardDialog)

/** Boards that come with the console; those of operators alone are left out for users. */
export const builtInBoards = (say: SayExplore, mine: boolean): readonly BuiltInView[] => [
  { id: 'spend', name: say('boardSpend'), search: { metric: 'spend', by: 'model' } },
  { id: 'speed', name: say('boardSpeed'), search: { metric: 'first_p95', by: 'model', form: 'line', range: '7d' } },
  {
    id: 'errors',
    name: say('boardErrors'),
    search: { metric: 'errors', by: mine ? 'model' : 'channel', second: 'status', form: 'bar', range: '7d' },
  },
  { id: 'cache', name: say('boardCache'), search: { metric: 'cache_share', by: 'model', second: 'key', form: 'line' } },
  ...(mine
    ? []
    : [{ id: 'margin', name: say('boardMargin'), search: { metric: 'margin', by: 'model', second: 'channel' } }]),
]

const BoardMenu = ({ boards, board, canRemove }: { boards: TableViews; board: KnownView; canRemove: boolean }) => {
  const say = useExploreMessages()
  const remove = useAction(boards.remove)
  const isStart = boards.defaultId === board.id
  const facts = [...(board.kind === 'builtIn' ? [] : [say(board.kind)]), ...(isStart ? [say('start')] : [])]
  return (
    <span className={classes.boardFacts}>
      {facts.join(' · ')}
      <Menu
        width={240}
        button={(buttonProps) => (
          <button type="button" className={classes.add} aria-label={say('boardMenu')} {...buttonProps}>
            <Icon name="more" size={14} />
          </button>
        )}
        entries={() => [
          {
            label: say(isStart ? 'notStart' : 'makeStart'),
            icon: 'home',
            onClick: () => boards.setDefault(isStart ? undefined : board.id),
          },
          ...(board.kind !== 'builtIn' && canRemove
            ? [
                {
                  label: say('removeBoard'),
                  icon: 'trash' as const,
                  danger: true,
                  onClick: () => void remove.run(board),
                },
              ]
            : []),
        ]}
      />
    </span>
  )
}

/** Boards as tabs: those of the console, one's own, and those that operators share. */
export const BoardTabs = ({ boards, isAdmin }: { boards: TableViews; isAdmin: boolean }) => {
  const say = useExploreMessages()
  const { current } = boards
  return (
    <div className={classes.boards}>
      <TabBar label={say('boards')} current={boards.all.findIndex(({ id }) => id === current?.id)}>
        {boards.all.map((board) => (
          <Link
            key={board.id}
            to="/explore"
            search={board.search as never}
            activeOptions={{ exact: true }}
            {...(board.id === current?.id ? { 'aria-current': 'page' as const } : {})}
          >
            {board.name}
          </Link>
        ))}
      </TabBar>
      {current && <BoardMenu boards={boards} board={current} canRemove={current.kind === 'own' || isAdmin} />}
    </div>
  )
}

/** Saves the question that is shown. */
export const SaveBoard = ({ boards, isAdmin }: { boards: TableViews; isAdmin: boolean }) => {
  const say = useExploreMessages()
  const [saving, setSaving] = useState(false)
  return (
    <>
      <Button variant="filled" onClick={() => setSaving(true)}>
        {say('saveBoard')}
      </Button>
      {saving && <BoardDialog boards={boards} isAdmin={isAdmin} onClose={() => setSaving(false)} />}
    </>
  )
}
