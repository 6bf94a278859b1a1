// The kind of machine that the browser runs on.

/** Whether shortcuts have Command in place of Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
