import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BuiltInView, KnownView, TableViews } from '../../components/data-table/views/table-views.ts'
import { Icon } from '../../components/display/icon.tsx'
import classes from '../../components/explore/explore.module.css'
import { type SayExplore, useExploreMessages } from '../../components/explore/messages.ts'
import { boardNames } from '../../components/explore/view.ts'
import { Menu } from '../../components/menu/menu.tsx'
import { TabBar } from '../../components/tab-bar.tsx'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useAction } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'

export const BoardDialog = onDemand(async () => (await import('./board-dialog.tsx')).BoardDialog)

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
    : [
        { id: 'margin', name: say('boardMargin'), search: { metric: 'margin', by: 'model', second: 'channel' } },
        { id: 'teams', name: say('boardTeams'), search: { metric: 'spend', by: 'team', second: 'project' } },
      ]),
]

const isEditable = ({ kind }: KnownView, isAdmin: boolean): boolean => kind === 'own' || (kind === 'shared' && isAdmin)

interface BoardMenuProps {
  boards: TableViews
  board: KnownView
  isAdmin: boolean
}

/** Menu of the opened board; the question may have been changed since. */
const BoardMenu = ({ boards, board, isAdmin }: BoardMenuProps) => {
  const say = useExploreMessages()
  const [renaming, setRenaming] = useState(false)
  const remove = useAction(boards.remove, { done: say('boardRemoved', { name: board.name }) })
  const edit = useAction(boards.edit, { done: say('saved', { name: board.name }) })
  const isStart = boards.defaultId === board.id
  const isChanged = boards.current?.id !== board.id
  const isShared = board.kind === 'shared'
  const facts = [
    ...(isChanged ? [say('changedBoard', { name: board.name })] : []),
    ...(board.kind === 'builtIn' ? [] : [say(board.kind)]),
    ...(isStart ? [say('start')] : []),
  ]
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
          ...(isChanged
            ? [
                {
                  label: say('saveChanges'),
                  icon: 'check' as const,
                  onClick: () => void edit.run(board, { name: board.name, shared: isShared, asShown: true }),
                },
              ]
            : []),
          ...(isEditable(board, isAdmin)
            ? [{ label: say('renameBoard'), icon: 'edit' as const, onClick: () => setRenaming(true) }]
            : []),
          {
            label: say(isStart ? 'notStart' : 'makeStart'),
            icon: 'home',
            onClick: () => boards.setDefault(isStart ? undefined : board.id),
          },
          ...(isEditable(board, isAdmin)
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
      {renaming && <BoardDialog boards={boards} board={board} isAdmin={isAdmin} onClose={() => setRenaming(false)} />}
    </span>
  )
}

/** Boards as tabs: those of the console, one's own, and those that operators share. */
export const BoardTabs = ({ boards, isAdmin }: { boards: TableViews; isAdmin: boolean }) => {
  const say = useExploreMessages()
  const { current } = boards
  /** The board that was opened last: changing its question does not close it. */
  const [openedId, setOpenedId] = useState(current?.id)
  if (current && current.id !== openedId) setOpenedId(current.id)
  const opened = boards.all.find(({ id }) => id === openedId)
  // An address without a question asks what the first board of the console asks.
  const [search] = useSearchParams()
  const isPlain = boardNames.every((name) => search[name] === undefined)
  const shown = current ?? (isPlain ? boards.all.find(({ kind }) => kind === 'builtIn') : undefined)
  const board = current ?? (opened && isEditable(opened, isAdmin) ? opened : undefined)
  return (
    <div className={classes.boards}>
      <TabBar label={say('boards')} current={boards.all.findIndex(({ id }) => id === shown?.id)}>
        {boards.all.map((board) => (
          <Link
            key={board.id}
            to="/explore"
            search={board.search as never}
            activeOptions={{ exact: true }}
            {...(board.id === shown?.id ? { 'aria-current': 'page' as const } : {})}
          >
            {board.name}
          </Link>
        ))}
      </TabBar>
      {board && <BoardMenu key={board.id} boards={boards} board={board} isAdmin={isAdmin} />}
    </div>
  )
}
