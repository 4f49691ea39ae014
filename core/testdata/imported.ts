/** Imported by a cell, dynamically. */
export const imported = true;
