import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/states.tsx'
import { useShellWords } from './messages.ts'
import { usePageWords } from './page-words.ts'

export const NotFound = () => {
  const say = usePageWords()
  const shell = useShellWords()
  return (
    <EmptyState
      icon="warning"
      title={say('notFound')}
      text={shell('notFoundText')}
      action={<Link to="/">{shell('backHome')}</Link>}
    />
  )
}
