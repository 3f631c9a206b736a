import '@fontsource-variable/inter/wght.css'
import './styles/look.css'
import './styles/frame.css'
import { startConsole } from './start.tsx'

void startConsole(document)
