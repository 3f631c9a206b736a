import { useNavigate } from '@tanstack/react-router'
import { preferencesStore } from './preferences/preferences.ts'

/** Shows the first steps again, on the screen of keys, until they are put away again. */
export const useOpenFirstSteps = (): (() => void) => {
  const navigate = useNavigate()
  return () => {
    preferencesStore.change({ marks: { 'guide-over': null } })
    void navigate({ to: '/token', search: { guide: '1' } })
  }
}
