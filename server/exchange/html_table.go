package exchange

import "strings"

// maxTableCells is the size of the largest table that is shown as a table.
const maxTableCells = 5000

// table writes a table. A table of one row and one column only arranges the page: its cell is written as blocks.
func (c *converter) table(n *node) {
	rows, columns := tableRows(n)
	if columns == 0 {
		c.children(n)
		return
	}
	if caption := n.child("caption"); caption != nil {
		c.children(caption)
		c.flush()
	}
	if len(rows)*columns > maxTableCells || len(rows) == 1 && columns == 1 {
		if len(rows) > 1 {
			c.note(MarkupChanged, "<table>")
		}
		for _, row := range rows {
			for _, cell := range row {
				c.flush()
				c.children(cell)
			}
		}
		return
	}
	var lines []string
	if !isHeader(rows[0]) {
		lines = append(lines, "|"+strings.Repeat("  |", columns), "|"+strings.Repeat(" --- |", columns))
	}
	for i, row := range rows {
		lines = append(lines, c.row(row, columns))
		if i == 0 && len(lines) == 1 {
			lines = append(lines, "|"+strings.Repeat(" --- |", columns))
		}
	}
	c.block(strings.Join(lines, "\n"), "table")
}

func (c *converter) row(cells []*node, columns int) string {
	line := "|"
	for i := range columns {
		text := ""
		if i < len(cells) {
			text = c.cell(cells[i])
		}
		line += " " + text + " |"
	}
	return line
}

func (c *converter) cell(n *node) string {
	for _, name := range []string{"colspan", "rowspan"} {
		if value := n.attr(name); value != "" && value != "1" {
			c.note(MarkupChanged, "<"+n.name+" "+name+"="+value+">")
		}
	}
	c.inTable = true
	text := c.oneLine(n)
	c.inTable = false
	return text
}

// tableRows returns the cells of each row, without the rows of tables within the cells.
func tableRows(n *node) (rows [][]*node, columns int) {
	for _, part := range n.all() {
		list := []*node{part}
		if part.name != "tr" {
			list = part.all("tr")
		}
		for _, row := range list {
			if cells := row.all("td", "th"); len(cells) > 0 {
				rows = append(rows, cells)
				columns = max(columns, len(cells))
			}
		}
	}
	return rows, columns
}

func isHeader(cells []*node) bool {
	for _, cell := range cells {
		if cell.name != "th" {
			return false
		}
	}
	return true
}
